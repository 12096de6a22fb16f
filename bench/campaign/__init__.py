"""The validation campaign on simulated platforms; bench/validate-simulated is its command."""
