"""Who is told, where and by whom: people, their devices and their contacts."""
