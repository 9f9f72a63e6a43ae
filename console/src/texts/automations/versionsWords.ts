// Texts of the console: automations, versionsWords.

export const changeWords = {
  capitalWasKind: (capital: string, kind: string) => `${capital} was ${kind}`,
  theStep: "The step"
} as const
