export function spreadLater(text: string, name: string): string;
