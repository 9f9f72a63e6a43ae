// Texts of the first steps in a new organization.

export const firstSteps = {
  on: "On",
  lookAtItName: (name: string) => `Look at it: ${name}`,
  lookAtIt: "Look at it",
  turnOnName: (name: string) => `Turn on: ${name}`,
  turnOn: "Turn on",
  automationWasNotMade: "The automation was not made.",
  firstSteps: "First steps",
  sampleApp: "A sample app",
  ordersOfASmallShop: "Orders of a small shop, with five records, to try things out.",
  makeTheSampleApp: "Make the sample app",
  openTheSampleApp: "Open the sample app",
  sampleAppWasNotMade: "The sample app was not made.",
  automationsToBeginWith: "Automations to begin with",
  theyWorkOnTheSample: "They work on the sample app: make it first."
} as const
