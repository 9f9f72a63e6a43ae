// What goes on is asked for again until it is over, beside what events tell: the end of a replay and what a run waits for come after the last
// event of their deliveries and steps, or without one.

const EVERY_MILLIS = 3_000

/** A query's `refetchInterval`; in a tab that nobody sees nothing is asked. */
export const againWhile = (goesOn: boolean | undefined, millis = EVERY_MILLIS): number | false =>
  goesOn === true ? millis : false
