"""How the kernels of this room are compiled."""

from magicert.compiled import compiled, room_of

ROOM = room_of(__file__)

helper = compiled(ROOM, inline="always")
entry = compiled(ROOM)
