"""Stream to HAL: host ops and timepoints, execution regions, executables."""
