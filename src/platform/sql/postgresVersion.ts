// The oldest release of Postgres that the service works on (docs/production.md), as `server_version_num` has it, and what to do about an older one.
export const OLDEST_POSTGRES = 150_000
export const MOVE_TO_NEWER = "Move to Postgres 15 or newer; 18 is what is tried most."
