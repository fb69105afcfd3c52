"""The names that no memory may take, as data.

Owns the reserved words, built-ins and action roots (rule 3, CASE-B25, R5). Knows nothing of what is loaded.
"""

from ferrule.ontology.fitting import BUILTIN
from ferrule.protoscript.words import RESERVED

__all__ = ["ACTION_ROOTS", "BUILTIN_NAMES", "HOST_MEMBERS", "INITIALIZER", "RESERVED_WORDS"]

RESERVED_WORDS = RESERVED | {"this", "that", "global", "ref", "out", "await", "lazy"}

BUILTIN_NAMES = BUILTIN | {
    *("bool", "string", "int", "double", "float", "object", "var", "void", "stringref", "StringRef"),
    *("Function", "System", "Ontology", "Lexeme", "SemanticEntity", "SemanticProgram", "Object", "Type"),
}

# Members of every node in the reference runtime: a property of this name would be lost or would change the node.
HOST_MEMBERS = frozenset({"PrototypeName", "Value", "Children", "Properties", "PrototypeID", "TypeOfs", "Descendants"})

# What executes is not learned here (R5): roots of actions, and the property by which a service starts itself.
ACTION_ROOTS = frozenset({"ProtoScriptAction", "OpsAction", "PromptAction", "CoreAction"})
INITIALIZER = "AutoInitialize"
