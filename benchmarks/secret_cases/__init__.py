"""Generated secrets and look-alikes with known answers: every value is drawn when it is needed, none is anybody's."""
