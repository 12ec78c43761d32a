"""LLVM's assembly text: read, and prepared for one square."""
