// Texts of the pages that the clicker of a weblink sees.

export const weblinkPages = {
  thisLinkIsNotAvailable: "This link is not available",
  itMayHaveExpired: "It may have expired or been used already.",
  done: "Done",
  youCanCloseThisPage: "You can close this page.",
  thisDidNotWork: "This did not work",
  whoeverGaveYouTheLink: "Whoever gave you the link can see why.",
  notRightNow: "Not right now",
  itIsNotKnownWhether: "It is not known whether your click counted. Whoever gave you the link can see it.",
  pleaseTryAgain: "Please try again in a moment; nothing has happened yet.",
  oneMoment: "One moment",
  pageLooksAgainByItself: "The page looks again by itself.",
  tooManyClicks: "Too many clicks",
  pleaseTryAgainInAMinute: "Please try again in a minute.",
  thisIsStillBeingWorked: "This is still being worked on; the page looks again by itself."
} as const
