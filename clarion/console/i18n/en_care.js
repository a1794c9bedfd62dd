// @ts-check
/** Contacts by hand, in English. */

/** @type {Record<string, string>} */
export const enCare = {
  "lines.up": "Up",
  "lines.remove": "Remove",
  "days.add": "Add days",
  "days.first": "First day",
  "days.last": "Last day",
  "ways.title": "Ways, in this order",
  "ways.after": "Minutes without a word before this way",
  "ways.explain": "The second number: how many minutes without a word before this way is tried. Without any way you get a link to pass on.",
  "ways.add": "Add a way",
  "contact.when_not": "When not, and in which language",
  "contact.quiet_explain": "In their quiet hours and on days away others are called first, unless it is critical or nobody else is there.",
  "contact.away": "Away",
  "contact.gone": "away until {last}",
  "contact.language_theirs": "as they choose on their page",
  "oncall.holidays": "Holidays",
  "oncall.holiday_members": "Who takes turns on holidays, day by day",
  "oncall.overrides": "Who stands in",
  "policy.only": "Who is called at all (nobody ticked: everybody)",
  "policy.warn": "Tell the first contact when nobody could hear what comes within a day",
  "policy.warn_hint": "And when a device is back that could.",
  "policy.phone": "Telephone for contacts",
  "policy.address": "Address for contacts",
  "policy.shared_hint": "They see it on their page; empty: they do not.",
};
