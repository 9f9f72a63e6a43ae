// Time-out of the signs of life that long activities give (activities/heartbeats.ts): a worker that was killed is missed after it, and another
// goes on, however long the activity may take.
export const HEARTBEAT_TIMEOUT = "10 seconds"
