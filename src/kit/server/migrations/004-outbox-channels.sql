-- Channels that nobody delivers yet keep their messages here as well.
ALTER TABLE kit.outbox DROP CONSTRAINT outbox_channel_check,
  ADD CONSTRAINT outbox_channel_check CHECK (channel IN ('sms', 'email', 'wechat', 'feishu', 'dingtalk'));
