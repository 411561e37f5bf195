"""The version of trainspec, in one place for the package, the manifest and the messages."""

__all__ = ["VERSION"]

VERSION = "0.1.0"
