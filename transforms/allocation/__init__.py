"""How `stream-schedule-allocation` gives values storage and turns async ops into commands."""
