"""What stands behind `magicert find` and `magicert disprove`."""
