// Words of automations: states, columns, and rows of the table.

export const automationRows = {
  columns: {
    name: "Name",
    app: "App",
    trigger: "Trigger",
    owner: "Owner",
    state: "State",
    last: "Last run",
    errors: "Error rate"
  },
  appAppId: (appId: number) => `App ${appId}`,
  userOwnerId: (ownerId: number) => `User ${ownerId}`
} as const

export const automationStates = {
  active: { words: "Active" },
  paused: { words: "Paused" },
  broken: { words: "Broken" },
  draft: { words: "Draft" }
} as const
