// Texts of the gallery.

export const gallery = {
  loadingRecordsFailed: "Loading records failed.",
  recordsOf: (name: string) => `Records of ${name}`,
  firstMostCardsOfTotal: (mostCards: string, total: string) =>
    `The first ${mostCards} of ${total} are shown. A filter or the table shows the others.`
} as const
