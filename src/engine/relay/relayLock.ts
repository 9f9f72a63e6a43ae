// The advisory lock under which one relay at a time, over all processes, works the outbox.
export const RELAY_LOCK = 727_002
