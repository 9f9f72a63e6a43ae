// Maximum lifetime of a run, its waits included (developer-api.md 7.11 rule 6).
import { momentOfInstant } from "../../../platform/primitives/dates.ts"

const LIFE_DAYS = 400

export const LIFE_RULE = `A run lives at most ${LIFE_DAYS} days`

/** Epoch milliseconds. */
export const lifetimeEnds = ({ created_on }: { readonly created_on: Date }): number =>
  created_on.getTime() + LIFE_DAYS * 86_400_000

/** Error message of a delay that would end after the run's lifetime. */
export const outlived = (until: number): string =>
  `${LIFE_RULE}; this delay would wait until ${momentOfInstant(until)} (UTC).`
