"""The days that people name, in Chinese and in English."""
