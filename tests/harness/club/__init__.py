"""A club on one computer: broker, database, consumer, hub and simulated tables; `make club` starts all of them."""
