import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  from: string;
  to: string[];
  raw: Buffer;
}

/** A mail server of this machine; `refuse` is how many more mails it turns away. */
export class MailBox {
  readonly mails: ReceivedMail[] = [];
  refuse = 0;
  private readonly server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, session, done) => {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        this.refuse -= 1;
        if (this.refuse >= 0) return done(Object.assign(new Error('come back later'), { responseCode: 451 }));
        const { mailFrom, rcptTo } = session.envelope;
        this.mails.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map((recipient) => recipient.address),
          raw: Buffer.concat(parts),
        });
        done();
      });
    },
  });

  /** Listens on a free port; answers the address as MAIL_URL takes it. */
  async open(): Promise<string> {
    const listener = this.server.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    return `smtp://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}
