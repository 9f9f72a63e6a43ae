// Numbers of all advisory locks, in one place so that no two locks share a number.

/** Held by a migration: they run one at a time. */
export const MIGRATION_LOCK = 727_001
/** Shared by all relays; a relay of a release before shards takes it exclusively, and so may code that wants the outbox to stand still. */
export const RELAY_LOCK = 727_002
/** Held by later changes of large tables. */
export const LATER_LOCK = 727_003
/** Held while the register of sealing keys is read or changed. */
export const REGISTER_LOCK = 727_004
/** Held by the one process that sweeps for actors that nobody runs. */
export const SWEEP_LOCK = 727_005
/** Taken with the number of an outbox shard: the holder works the events of that shard. */
export const SHARD_LOCK = 727_006
/** Taken with the id of an organization: the count of its letters. */
export const MAIL_LOCK = 727_009
/** Held while an organization is created: one after another. */
export const SLUG_LOCK = 727_010
/** Taken with the hash of an automation's id: its concurrency slots. */
export const TURNS_LOCK = 727_051

/** Id as one of the two numbers of a lock, which have 32 bits; smaller ids stay as they are. */
export const lockKey = (id: number): number => id % 2 ** 31
