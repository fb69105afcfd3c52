"""Ferrule remembers the few referents of a completed agent turn that carry a handle.

The package is lazy: importing it loads nothing but this file, so that a hook or `ferrule --help` stays cheap. The names
of the Python API are loaded when they are first asked for; `__init__.pyi` declares them for type checkers.
"""

__version__ = "0.1.0"

_API = {
    "ferrule.interfaces.python.api": ("Delivered", "Ferrule"),
    "ferrule.wiring.answers": (
        "Acceptance",
        "Attached",
        "Attachment",
        "Declined",
        "Detached",
        "Dispatch",
        "Duplicate",
        "FeedbackAnswer",
        "Ignored",
        "Noted",
        "Queued",
        "Received",
    ),
    "ferrule.wiring.attaching": ("Wish",),
    "ferrule.wiring.resting": ("Rested",),
    "ferrule.wiring.sessions": ("SessionRow",),
    "ferrule.wiring.standing": ("Standing",),
    "ferrule.wiring.working": ("Wake", "Woken"),
    "ferrule.session.gate": ("Evaluation",),
    "ferrule.session.subscriptions": ("Companion", "Delivery", "Subscription"),
    "ferrule.session.source": ("Instruction",),
    "ferrule.errors": (
        "Code",
        "FerruleError",
        "GateBusy",
        "InternalError",
        "ModelError",
        "StoreError",
        "UnreadableInput",
        "UsageError",
    ),
}
_HOME_OF = {name: module for module, names in _API.items() for name in names}

__all__ = ["__version__", *sorted(_HOME_OF)]  # noqa: PLE0604 - names of the table above


def __getattr__(name: str) -> object:
    """Load a name of the Python API when it is first asked for."""
    module = _HOME_OF.get(name)
    if module is None:
        raise AttributeError(f"module 'ferrule' has no attribute {name!r}")
    import importlib  # noqa: PLC0415 - not before somebody asks

    value = getattr(importlib.import_module(module), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(__all__)
