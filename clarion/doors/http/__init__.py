"""The HTTP door: one application, one file of routes a feature, one place for errors."""
