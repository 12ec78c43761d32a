"""From sources to LLVM's assembly text: compilers, their flags, and what they leave out."""
