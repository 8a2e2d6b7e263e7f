"""scikit-learn's faces of the models."""
