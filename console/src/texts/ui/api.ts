// Texts of the console: ui, api.

export const account = {
  answerIsNoJson: "The answer is no JSON."
} as const
