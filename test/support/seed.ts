// Where generated inputs come from: the same in every run, another or a new seed where the variable says so.

/** `NAME=new` draws one, to look for what the usual one does not meet. */
export const seedOf = (variable: string): number => {
  const given = process.env[variable]
  return given === "new" ? Date.now() % 2 ** 31 : Number(given ?? 20_260_211)
}
