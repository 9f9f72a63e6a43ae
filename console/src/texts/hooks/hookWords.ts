// Words of webhooks: tabs, types of events, states of hooks, deliveries and replays.

export const hookTabs = {
  tabWords: {
    overview: "Overview",
    deliveries: "Deliveries",
    testing: "Testing",
    settings: "Settings",
    secret: "Secret"
  }
} as const

export const hookWords = {
  typeWords: {
    "record.create": "Record created",
    "record.update": "Record changed",
    "record.delete": "Record deleted",
    "record.restore": "Record restored",
    "comment.create": "Comment written",
    "comment.delete": "Comment deleted",
    "app.update": "App changed",
    "hook.failing": "A webhook keeps failing",
    "hook.inactive": "A webhook became inactive",
    "automation.broken": "An automation broke",
    "automation.run_failed": "A run failed"
  },
  deliveryWords: {
    queued: { word: "Waiting", means: "Not sent yet." },
    retrying: { word: "Trying again", means: "An attempt failed; the next one is planned." },
    delivered: { word: "Delivered", means: "The receiver answered with success." },
    failed: { word: "Failed", means: "Every attempt failed." },
    withheld: { word: "Withheld", means: "The address is not verified: it can be sent again once it is." },
    expired: { word: "Expired", means: "It waited for too long." }
  },
  replayWords: {
    running: { word: "Under way" },
    done: { word: "Done" },
    cancelled: { word: "Cancelled" },
    stopped: { word: "Stopped: the address lost its verification" }
  },
  notVerified: "Not verified",
  paused: "Paused",
  failingFailuresInARow: (failures: number) => `Failing: ${failures} in a row`,
  active: "Active"
} as const
