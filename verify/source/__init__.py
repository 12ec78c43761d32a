"""Which table does this engine's source hold, and do its numbers certify?"""
