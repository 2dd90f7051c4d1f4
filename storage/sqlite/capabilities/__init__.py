"""What a store can do, one module and one class for each group of methods; `storage.sqlite_store` joins them."""
