// Polls something that is in progress until it is over, in addition to events: the end of a replay and the reason that a run waits come
// after the last event of their deliveries and steps, or without one.

const EVERY_MILLIS = 3_000

/** A query's `refetchInterval`; in a tab that nobody sees nothing is asked. */
export const againWhile = (goesOn: boolean | undefined, millis = EVERY_MILLIS): number | false =>
  goesOn === true ? millis : false
