"""Research: programs of the checkout, not of the wheel. They may use magicert; it uses none."""
