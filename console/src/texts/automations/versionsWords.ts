// Words of the differences of two versions.

export const changeWords = {
  capitalWasKind: (capital: string, kind: string) => `${capital} was ${kind}`,
  theStep: "The step"
} as const
