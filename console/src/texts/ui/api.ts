// Texts of the client of the API: answers that it cannot read.

export const account = {
  answerIsNoJson: "The answer is no JSON."
} as const
