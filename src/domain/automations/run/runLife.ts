// How long a run lives at most, its waits included (developer-api.md 7.11 rule 6).
const LIFE_DAYS = 400

export const LIFE_RULE = `A run lives at most ${LIFE_DAYS} days`

/** Epoch milliseconds. */
export const lifeEnds = ({ created_on }: { readonly created_on: Date }): number =>
  created_on.getTime() + LIFE_DAYS * 86_400_000
