"""How `stream-schedule-execution` orders, partitions and rebuilds one block."""
