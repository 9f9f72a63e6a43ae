// How generated inputs and repetitions are chosen: the same in every run of `npm test`; other ones and more of them by `npm run test:deep`
// (CONTRIBUTING.md), which prints what repeats them.

/** Of the variable itself (`new` draws one), else the whole run's, else `otherwise`: the one of every run. */
export const seedOf = (variable: string, otherwise = 20_260_211): number => {
  const seedText = process.env[variable] ?? process.env["TEST_SEED"]
  return seedText === "new" ? Date.now() % 2 ** 31 : Number(seedText ?? otherwise)
}

/** How many times as much is drawn as in the suite. */
export const DEPTH = Number(process.env["TEST_DEPTH"] ?? 1)
