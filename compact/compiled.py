"""How the kernels of this room are compiled."""

from magicert.system.compiled import compiled

helper = compiled(inline="always")
entry = compiled()
