"""Tools for developers: they write files of the product, which never imports them."""
