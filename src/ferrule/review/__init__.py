"""The critic's mind: identity pass, properties pass, gate; reviewers behind one port."""
