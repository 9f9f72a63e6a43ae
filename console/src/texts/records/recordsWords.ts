// Words of filters: operators and periods.

export const filterWords = {
  periods: {
    current_week: "this week",
    current_month: "this month",
    current_year: "this year",
    past_week: "the past week",
    past_month: "the past month",
    next_week: "the next week",
    next_month: "the next month"
  },
  isEmpty: "is empty",
  isNotEmpty: "is not empty",
  contains: "contains",
  doesNotContain: "does not contain",
  startsWith: "starts with",
  endsWith: "ends with",
  isExactly: "is exactly",
  isNotExactly: "is not exactly",
  is: "is",
  isNot: "is not",
  isMoreThan: "is more than",
  isAtLeast: "is at least",
  isLessThan: "is less than",
  isAtMost: "is at most",
  isWithin: "is within",
  isOn: "is on",
  isBefore: "is before",
  isAfter: "is after",
  isOnOrBefore: "is on or before",
  isOnOrAfter: "is on or after",
  has: "has",
  doesNotHave: "does not have",
  meansCompleted: "means completed",
  meansNotCompleted: "means not completed",
  isTrueOrFalse: "is (true or false)"
} as const
