// Texts of pages that are not there, or could not be loaded.

export const notFoundPage = {
  thereIsNoSuchPage: "There is no such page",
  addressIsWrong: "The address is wrong, or what it led to is gone.",
  toYourApps: "To your apps",
  thisPageCould: "This page could not be loaded",
  thisPageIsNotLoaded: "This page is not loaded yet",
  partOfThePage: "A part of the page is missing on the service. Reload the page, or try again in some minutes.",
  reload: "Reload",
  itOpensByItself: "It opens by itself as soon as the service can be reached.",
  somethingWentWrong: "Something went wrong",
  thisPageCouldNotBeShown: "This page could not be shown."
} as const
