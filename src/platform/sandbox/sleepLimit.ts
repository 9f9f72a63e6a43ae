// Longest `sleep` of a script (developer-api.md 8.2), for what enforces it and for what documents it.

export const SLEEP_MILLIS_MOST = 10_000
