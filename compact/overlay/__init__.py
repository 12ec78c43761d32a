"""Two levels, overlaid: bytes, and words that several squares share.

publish         the finished buffers as a table file, and back
from_nothing    pairs of rooks and single rooks on pages, bishops behind
joint           libraries of pairs that share bytes
joint_kernel    pairs of few columns and few joint classes, compiled
overlay         words for all parties, fewer and fewer
overlay_kernel  bases and numbers for some parties, again and again, compiled
places          bases and numbers, and the finished words
demand_kernel   what words would cost whom, compiled
parties         squares that share bytes, and what they want of words
"""
