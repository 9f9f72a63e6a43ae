// The numbers of the advisory locks, all of them here, lest two of one number wait for each other.

/** Migrations run one at a time. */
export const MIGRATION_LOCK = 727_001
/** Every relay holds it in common with the others; a relay before shards takes it alone, and so may whoever wants the outbox to stand still. */
export const RELAY_LOCK = 727_002
/** Later changes of large tables. */
export const LATER_LOCK = 727_003
/** The register of sealing keys. */
export const REGISTER_LOCK = 727_004
/** Held by the one process that sweeps for actors that nobody runs. */
export const SWEEP_LOCK = 727_005
/** Taken with the number of an outbox shard: the holder works the events of that shard. */
export const SHARD_LOCK = 727_006
/** Taken with the id of an organization: the count of its letters. */
export const MAIL_LOCK = 727_009
/** Organizations are made one after another. */
export const SLUG_LOCK = 727_010
/** Taken with the hash of an automation's id: its concurrency slots. */
export const TURNS_LOCK = 727_051

/** An id as one of the two numbers of a lock, which have 32 bits: up to there it is the id itself. */
export const lockKey = (id: number): number => id % 2 ** 31
