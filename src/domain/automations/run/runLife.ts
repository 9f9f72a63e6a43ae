// How long a run lives at most, its waits included (developer-api.md 7.11 rule 6).
import { momentOfInstant } from "../../../ground/primitives/dates.ts"

const LIFE_DAYS = 400

export const LIFE_RULE = `A run lives at most ${LIFE_DAYS} days`

/** Epoch milliseconds. */
export const lifeEnds = ({ created_on }: { readonly created_on: Date }): number =>
  created_on.getTime() + LIFE_DAYS * 86_400_000

/** Of a wait that nobody would see the end of. */
export const outlived = (until: number): string =>
  `${LIFE_RULE}; this delay would wait until ${momentOfInstant(until)} (UTC).`
