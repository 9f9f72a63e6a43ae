// Texts of the console: records, writesWords.

export const sendWrite = {
  somebody: "Somebody"
} as const
