// Words of the templates of automations that the first steps offer.

export const templates = {
  routeANewOrder: "Route a new order",
  orderOf1000: "An order of 1,000 and more waits for an approval, any other one is approved at once.",
  makeAnOrder: "Make an order.",
  invoiceAnApprovedOrder: "Invoice an approved order",
  whenAnOrderBecomesApproved: "When an order becomes Approved, an invoice is printed as a PDF and kept in it.",
  setTheState: "Set the state of an order to Approved.",
  remindBeforeAnOrder: "Remind before an order is due",
  threeDaysBeforeAnOrder:
    "Three days before an order is due, at eight, a comment says so, unless it is shipped by then.",
  setAnOrdersDueDate: "Set an order's due date to three days from now."
} as const
