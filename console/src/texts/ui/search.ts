// Texts of the search over everything, and of its commands.

export const searchButton = {
  search: "Search"
} as const

export const searchDialog = {
  search: "Search",
  searchEverything: "Search everything",
  results: "Results"
} as const

export const searchOption = {
  kindTexts: {
    record: "Record",
    comment: "Comment",
    automation: "Automation",
    app: "App",
    page: "Page",
    command: "Command"
  }
} as const
